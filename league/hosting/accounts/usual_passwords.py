"""Passwords that people who guess try first, of those with twelve or more characters.

Shorter ones are refused for their length. Most are a word, or keys that stand side by side, with
digits at its end: `passwords.py` takes such digits off and looks up the rest too.
"""

_WORDS = """
012345678901 098765432101 111111222222 111222333444 112233445566 11223344556677 121314151617
123123123123 123123123321 123412341234 123454321012 123456123456 123456654321 123456789012
1234567890123 123456789123 123456789987654321 123456789a 123456789q 123456789z 159357258456
159753159753 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz1qaz 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc
654321654321 987654321012 987654321098 987654321a abc123456789 abc123abc123 abcabcabcabc
abcd1234abcd abcdef123456 abcdefghij abcdefghijk abcdefghijkl abcdefghijklm admin administrator
alexander alexandria asdasdasdasd asdf asdfasdfasdf asdfghjkl asdfghjkl123 asdfghjklo asdfqwerzxcv
azertyuiop barcelona basketball bismillah blink182blink botleague butterfly california changeme
changemenow changemeplease charlie chocolate christopher computer correcthorsebatterystaple
corvette dragon dragonball elizabeth enterprise everything facebook football footballer forever
freedom gfhjkmgfhjkm harrypotter hello hellohello helloworld iloveyou iloveyouforever
iloveyousomuch internet justinbieber letmein letmeinnow letmeinplease liverpool liverpoolfc login
manchester manunited master masterkey michelle microsoft minecraft monkey motherlode mypassword
newpassword nopassword onetwothree opensesame p4ssw0rd p@ssw0rd p@ssword pa$$word passpass
passphrase passw0rd password passwordpassword passwort pokemon princess q1w2e3r4t5y6 qazwsx
qazwsxedc qazwsxedcrfv qazwsxqazwsx qwe123qwe123 qweasdzxcqwe qweqweqweqwe qwer1234qwer
qwerasdfzxcv qwerty qwerty123456 qwertyqwerty qwertyuiop qwertyuiop123 qwertyuiopasdfghjkl qwertz
qwertzuiop samsung secret september spiderman starwars stupidpassword sunshine superman superstar
test testpassword testtest thepassword theresnopassword thisismypassword universe university
unknown volleyball welcome welcomehome whatever william wordpass yourpassword yugiohyugioh
zaq12wsxcde3 zaq1xsw2cde3 zaq1zaq1zaq1 zxcvbnm zxcvbnmasd zxcvbnmzxcvbnm
"""

USUAL = frozenset(_WORDS.split())
