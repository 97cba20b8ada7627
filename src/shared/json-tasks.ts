import type { ContentTask } from '../concurrency/content-threads.js';
import { type JsonLimits, type JsonShape, shapeOf } from './json-shape.js';

export const JSON_SHAPE: ContentTask<{ body: Buffer; limits: JsonLimits; listIn: string | undefined }, JsonShape> = {
  name: 'JSON shape',
  subject: 'The body',
  run: ({ body, limits, listIn }) => shapeOf(body, limits, listIn),
};

/** For texts of few values: to copy many back would take as long as to parse them. */
export const PARSE_JSON: ContentTask<string, unknown> = {
  name: 'parse JSON',
  subject: 'The body',
  run: (text) => JSON.parse(text) as unknown,
};
