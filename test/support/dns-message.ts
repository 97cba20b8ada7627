/** https://datatracker.ietf.org/doc/html/rfc1035#section-4, as much of it as a server without zones needs. */

export interface DnsValues {
  A: string;
  CNAME: string;
  MX: { priority: number; exchange: string };
  /** One string is cut into the character-strings that it needs, a list is taken as these. */
  TXT: string | string[];
}
export type DnsType = keyof DnsValues;

export interface DnsRecord<T extends DnsType = DnsType> {
  name: string;
  type: T;
  value: DnsValues[T];
}

export interface DnsQuery {
  id: number;
  /** As asked. */
  name: string;
  /** Undefined: one that is not known here. */
  type: DnsType | undefined;
  /** Name, type and class as they came, for the answer. */
  question: Buffer;
}

export const RESPONSE_CODES = { noerror: 0, servfail: 2, nxdomain: 3, refused: 5 };

const TYPES: Record<DnsType, number> = { A: 1, CNAME: 5, MX: 15, TXT: 16 };
const CLASS_IN = 1;
const HEADER_BYTES = 12;
const FLAGS = { response: 0x8000, authoritative: 0x0400, truncated: 0x0200, recursion: 0x0180 };
const LONGEST_CHARACTER_STRING = 255;

export function decodeQuery(message: Buffer): DnsQuery {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = message.readUInt16BE(at + 1);
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.'),
    type: (Object.keys(TYPES) as DnsType[]).find((type) => TYPES[type] === number),
    question: message.subarray(HEADER_BYTES, at + 5),
  };
}

export function encodeReply({ id, question }: DnsQuery, code: number, answers: readonly DnsRecord[]): Buffer {
  return Buffer.concat([encodeHeader(id, code, answers.length, 0), question, ...answers.map(encodeRecord)]);
}

/** Makes the client repeat the query over TCP. */
export function encodeTruncatedReply({ id, question }: DnsQuery): Buffer {
  return Buffer.concat([encodeHeader(id, RESPONSE_CODES.noerror, 0, FLAGS.truncated), question]);
}

function encodeHeader(id: number, code: number, answers: number, flags: number): Buffer {
  const allFlags = FLAGS.response | FLAGS.authoritative | FLAGS.recursion | flags | code;
  return uint16(id, allFlags, 1, answers, 0, 0);
}

/** With a time to live of 0, so that nothing keeps it. */
function encodeRecord(record: DnsRecord): Buffer {
  const value = encodeValue(record);
  return Buffer.concat([encodeName(record.name), uint16(TYPES[record.type], CLASS_IN, 0, 0, value.length), value]);
}

function encodeValue(record: DnsRecord): Buffer {
  if (record.type === 'A') return Buffer.from((record.value as DnsValues['A']).split('.').map(Number));
  if (record.type === 'TXT') return encodeText(record.value as DnsValues['TXT']);
  if (record.type !== 'MX') return encodeName(record.value as string);
  const { priority, exchange } = record.value as DnsValues['MX'];
  return Buffer.concat([uint16(priority), encodeName(exchange)]);
}

function encodeText(text: string | string[]): Buffer {
  const strings = typeof text === 'string' ? cut(Buffer.from(text)) : text.map((part) => Buffer.from(part));
  return Buffer.concat(strings.flatMap((part) => [uint8(part.length), part]));
}

function cut(text: Buffer): Buffer[] {
  const parts = Math.max(1, Math.ceil(text.length / LONGEST_CHARACTER_STRING));
  return Array.from({ length: parts }, (_, n) =>
    text.subarray(n * LONGEST_CHARACTER_STRING, (n + 1) * LONGEST_CHARACTER_STRING),
  );
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  const parts = labels.flatMap((label) => [uint8(label.length), Buffer.from(label, 'latin1')]);
  return Buffer.concat([...parts, uint8(0)]);
}

const uint8 = (value: number) => Buffer.from([value]);

const uint16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
