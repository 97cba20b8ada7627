import type { ContentTask } from '../concurrency/content-threads.js';
import { type JsonLimits, type JsonShape, shapeOf } from './json-shape.js';

export const JSON_SHAPE: ContentTask<{ body: Buffer; limits: JsonLimits; listIn: string | undefined }, JsonShape> = {
  name: 'JSON shape',
  subject: 'The body',
  run: ({ body, limits, listIn }) => shapeOf(body, limits, listIn),
};

/** Parses texts of few values: copying many back from the thread would take as long as parsing them. */
export const PARSE_JSON: ContentTask<string, unknown> = {
  name: 'parse JSON',
  subject: 'The body',
  run: (text) => JSON.parse(text) as unknown,
};
