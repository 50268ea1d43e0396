---
classes:
  - ntp

