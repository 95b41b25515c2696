.text
.type hidden,@function
hidden:
.skip 8
.size hidden,8
