import type { ContentTask } from '../concurrency/content-threads.js';
import { type JsonLimits, type JsonShape, shapeOf } from './json-shape.js';

export interface BodyShape extends JsonShape {
  body: Buffer;
  hasUnicodeEscapes: boolean;
}

/** Returns the body, because it is moved to the thread instead of being copied. */
export const JSON_SHAPE: ContentTask<{ body: Buffer; limits: JsonLimits; listIn: string | undefined }, BodyShape> = {
  name: 'JSON shape',
  subject: 'The body',
  run: ({ body, limits, listIn }) => ({
    ...shapeOf(body, limits, listIn),
    body,
    hasUnicodeEscapes: body.includes(String.raw`\u`),
  }),
};

const BYTE_ORDER_MARK = '\ufeff';

/** Parses JSON of few values: copying many back from the thread would take as long as parsing them. */
export const PARSE_JSON: ContentTask<Buffer, unknown> = {
  name: 'parse JSON',
  subject: 'The body',
  run: (json) => {
    const text = json.toString('utf8');
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text) as unknown;
  },
};
