import { DomainError } from './domain-error.js';

/** The maximum number of fields of one object, at any depth. */
const MAX_FIELDS = 1_000;

/** Longer strings are skipped by a search for their end, which is faster for them. */
const SHORT_STRING = 64;
/** The depth of a list in a field of the body, and of its entries. */
const [LIST_DEPTH, ENTRY_DEPTH] = [2, 3];
/** The size of a piece in bytes, which is parsed in a few milliseconds. */
const PIECE_OF_LIST = 65_536;
/** The maximum length, in bytes, of the name of a field in a message. */
const MAX_NAME_LENGTH = 100;

/** The limits of a JSON text. Values are the fields of all objects and the elements of all lists together. */
export interface JsonLimits {
  values: number;
  /** The limit of each entry of a list in a field of the body. */
  valuesOfEntry?: number;
  /** The limit of fields in the outermost object. */
  outerFields?: number;
  levels?: number;
}

/** The list in a field of the body, without its brackets. */
export interface ListPosition {
  start: number;
  end: number;
  /** The number of its elements, with all that they hold. */
  values: number;
  /** The positions of commas that divide it into pieces of about PIECE_OF_LIST bytes. */
  cuts: number[];
}

export interface JsonShape {
  values: number;
  /** Null unless the last field of that name holds a list. */
  list: ListPosition | null;
}

/**
 * Refuses JSON that would occupy the event loop for long when it is parsed or handled. Reads each byte once, and copies
 * nothing. Returns the number of values and the position of the list in the field of that name. Throws `invalid`,
 * naming the limit that is exceeded; leaves syntax errors to the parser.
 */
export function shapeOf(body: Buffer, limits: JsonLimits, listIn?: string): JsonShape {
  const { values, valuesOfEntry = Infinity, outerFields = MAX_FIELDS, levels = Infinity } = limits;
  /** The number of fields of each open object, by depth. */
  const fields: number[] = [];
  let depth = 0;
  let held = 0;
  let beforeEntry = 0;
  let inString = false;
  let stringStart = 0;
  let stringEnd = 0;
  /** The current field of the outermost object. */
  let field: [start: number, end: number] = [0, 0];
  const list = listIn === undefined ? undefined : new ListFinder(listIn);
  const count = () => {
    held += 1;
    if (held > values) throw DomainError.invalid(`The body holds more than ${values} values`);
  };
  const refuse = (fault: string) => DomainError.invalid(`${nameOf(body, field)} ${fault}`);
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (inString) {
      stringEnd = i;
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
      else if (i - stringStart > SHORT_STRING) i = endOfString(body, i + 1) - 1;
    } else if (byte === QUOTE) {
      inString = true;
      stringStart = i;
    } else if (byte === COMMA) {
      count();
      if (depth === LIST_DEPTH) list?.pass(i);
    } else if (byte === COLON) {
      const named = (fields[depth] ?? 0) + 1;
      if (depth > 0) fields[depth] = named;
      if (depth === 1) {
        field = [stringStart + 1, stringEnd];
        list?.begin(nameOf(body, field));
      }
      if (depth === 1 && named > outerFields)
        throw DomainError.invalid(`The request has more than ${outerFields} fields`);
      if (named > MAX_FIELDS) throw refuse(`has an object of more than ${MAX_FIELDS} fields`);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === ENTRY_DEPTH - 1) beforeEntry = held;
      depth += 1;
      count();
      if (depth === LIST_DEPTH && byte === OPEN_BRACKET) list?.open(i + 1, held);
      if (depth > levels) throw DomainError.invalid(`The body is nested deeper than ${levels} levels`);
      fields[depth] = 0;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === ENTRY_DEPTH && held - beforeEntry > valuesOfEntry)
        throw refuse(`has an entry of more than ${valuesOfEntry} values`);
      if (depth === LIST_DEPTH) list?.close(i, held);
      depth -= 1;
    }
  }
  list?.close(body.length, held);
  return { values: held, list: list?.found ?? null };
}

/** Finds the list in the field of that name. */
class ListFinder {
  found: ListPosition | null = null;
  private isField = false;
  private isOpen = false;

  constructor(private readonly name: string) {}

  /** Begins a field of the outermost object. */
  begin(name: string): void {
    this.isField = (name.includes('\\') ? unescaped(name) : name) === this.name;
    if (this.isField) this.found = null;
  }

  open(start: number, held: number): void {
    if (!this.isField) return;
    this.isOpen = true;
    this.found = { start, end: start, values: held, cuts: [] };
  }

  pass(comma: number): void {
    const { found, isOpen } = this;
    if (found && isOpen && comma - (found.cuts.at(-1) ?? found.start) > PIECE_OF_LIST) found.cuts.push(comma);
  }

  close(end: number, held: number): void {
    if (this.found && this.isOpen) this.found = { ...this.found, end, values: held - this.found.values };
    this.isOpen = false;
  }
}

/** The position of the next quote that is not escaped. `from` is not within an escape. */
function endOfString(body: Buffer, from: number): number {
  for (let quote = body.indexOf(QUOTE, from); quote >= 0; quote = body.indexOf(QUOTE, quote + 1)) {
    let last = quote - 1;
    while (body[last] === BACKSLASH) last -= 1;
    if ((quote - 1 - last) % 2 === 0) return quote;
  }
  return body.length;
}

const nameOf = (body: Buffer, [start, end]: [number, number]): string =>
  end > start && end - start <= MAX_NAME_LENGTH ? body.toString('utf8', start, end) : 'The body';

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    return ''; // the parser reports it
  }
}

const [QUOTE = 0, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] =
  Buffer.from('"\\:,{}[]');
