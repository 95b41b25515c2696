.text
.globl one
.type one,@function
one: .skip 16
.size one,16
.skip 16
.globl _ZN1a3twoEi
.type _ZN1a3twoEi,@function
_ZN1a3twoEi: .skip 16
.size _ZN1a3twoEi,16
