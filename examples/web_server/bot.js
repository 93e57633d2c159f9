// A web server that plays any game at random: node bot.js [PORT]
'use strict';

const http = require('http');

function answer(question) {
  if (question.type === 'hello') return { protocol: 1 };
  if (question.type !== 'move') return {};
  const { legal } = question;
  return { move: legal[Math.floor(Math.random() * legal.length)], report: { text: 'a guess' } };
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString() || '{}'; // GET / has no body
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer(JSON.parse(body))));
  });
});

const port = Number(process.argv[2] || 8000);
server.listen(port, 'localhost', () => console.log(`listening at http://localhost:${port}`));
