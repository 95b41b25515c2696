.text
.skip 9
