#!/bin/sh
# A web server that plays any game at random. It answers one request from its input to its output:
#   socat -d -d TCP-LISTEN:8000,bind=localhost,reuseaddr,fork EXEC:'sh bot.sh'
read -r method path version
length=0
while read -r name value; do
    value=$(printf %s "$value" | tr -d '\r')
    case $name in
        [Cc]ontent-[Ll]ength:) length=$value ;;
        *:) ;;
        *) break ;; # the empty line after the head
    esac
done
body=$(head -c "$length")

case $path in
    */hello) answer='{"protocol":1}' ;;
    */move)
        legal=$(printf %s "$body" | sed 's/.*"legal":\["\([^]]*\)"\].*/\1/; s/","/\n/g')
        move=$(printf '%s\n' "$legal" | shuf -n 1)
        answer="{\"move\":\"$move\"}"
        ;;
    *) answer='{}' ;;
esac
printf 'HTTP/1.0 200 OK\r\nContent-Length: %s\r\n\r\n%s' "${#answer}" "$answer"
