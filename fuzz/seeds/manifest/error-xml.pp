<config>
</config>

