$straße = 'Hauptstraße'
