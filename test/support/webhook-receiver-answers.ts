import type { ServerResponse } from 'node:http';

import type { ReceivedPost, ReceiverAnswer } from './webhook-receiver-script.js';

const DRIP_MS = 50;
const CHUNK = Buffer.alloc(16_384, 'x');

/** Sends the answer, or passes what sends it to `hold`, and updates the counters of the post. */
export function perform(
  answer: ReceiverAnswer,
  response: ServerResponse,
  post: ReceivedPost,
  hold: (send: () => void) => void,
): void {
  response.on('finish', () => {
    post.isAnswered = true;
  });
  response.on('close', () => {
    post.wasCut = !response.writableFinished;
  });
  if (typeof answer === 'object') {
    const { status, headers = {}, body = '', isHeld = false } = answer;
    const send = () => void response.writeHead(status, headers).end(body);
    if (isHeld) hold(send);
    else send();
  } else TROUBLE[answer](response, post);
}

type Named = Extract<ReceiverAnswer, string>;

const TROUBLE: Record<Named, (response: ServerResponse, post: ReceivedPost) => void> = {
  hang: () => undefined,
  drop: (response) => response.socket?.destroy(),
  drop_midway: (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('not a hundred bytes', () => response.socket?.destroy());
  },
  drip: (response, post) => {
    response.writeHead(200).flushHeaders();
    repeat(response, () => {
      post.sentBytes += 1;
      response.write('x');
    });
  },
  drip_headers: (response, post) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nx-drip: ');
    repeat(response, () => {
      post.sentBytes += 1;
      response.socket?.write('x');
    });
  },
  endless: (response, post) => {
    response.writeHead(200);
    const fill = () => {
      do post.sentBytes += CHUNK.length;
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on('drain', fill);
    fill();
  },
  large_headers: (response) => response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end(),
  redirect: (response) => {
    const port = response.socket?.localPort;
    response.writeHead(302, { location: `http://127.0.0.1:${port}/redirected` }).end();
  },
};

function repeat(response: ServerResponse, step: () => void): void {
  const timer = setInterval(step, DRIP_MS);
  response.on('close', () => {
    clearInterval(timer);
  });
}
