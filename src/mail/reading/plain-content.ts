import { detectExtension, parseHeaderValue } from 'nodemailer/lib/mime-funcs';

import { decodeLines } from './charset.js';
import { decodeWords } from './encoded-words.js';
import { valuesOf } from './header-fields.js';
import type { Leaf, Multipart, Part } from './mime-parts.js';
import { decodeInPlace, isWholeBase64, TRANSFER_ENCODINGS, type TransferEncoding } from './transfer-encodings.js';

/** A part that is to become an attachment. */
export interface PlainFile {
  leaf: Leaf;
  encoding: TransferEncoding;
  filename: string;
  contentType: string;
  contentId: string | null;
}

/** The content of a mail with a shape that the service composes itself. */
export interface PlainContent {
  html: string | null;
  text: string | null;
  files: PlainFile[];
}

interface Body {
  html: Leaf | null;
  text: Leaf | null;
  /** The parts that the HTML refers to. */
  related: Leaf[];
}

/** The limits of a mail with a plain shape. */
export interface PlainLimits {
  files: number;
  /** Characters of a body. */
  body: number;
}

/** Longer bodies are not decoded; in characters, in any encoding. */
const MAX_ENCODED_TEXT = 4_000_000;
/**
 * Types of parts that cannot become attachments: their meaning depends on their exact bytes, as with signatures, or on
 * the part that they are in.
 */
const NOT_ATTACHABLE = /^(?:multipart\/|message\/|application\/(?:x-)?(?:pkcs7|pgp)|text\/calendar)/;
const CID_URL = /cid:([^"'\s<>]{1,998})/g;
/** Characters that end an id in CSS, in a list or in an attribute with entities, unless they belong to the id. */
const AFTER_ID = /[&),;\\]/;
const CHARSET = /^[\w.:+-]{1,40}$/;
/** The name of a file that is not encoded (RFC 2231), and the names that `filenamesOf` gives such parameters. */
const PLAIN_NAME = /;\s*(?:file)?name\s*=/gi;
const NAME = /^(?:(?:file)?name|plain-\d{1,5})$/;

/**
 * Returns text, HTML, the parts that the HTML refers to, and attachments. Null for every other shape, for text that
 * cannot be decoded, and for a mail above the limits: it is sent as it is.
 */
export function plainContentOf(root: Part, mail: Buffer, limits: PlainLimits): PlainContent | null {
  const isMixed = root.kind === 'multipart' && isOf(root, 'mixed');
  const [body, attached] = isMixed ? splitMixed(root.parts, limits.files) : [bodyOf(root), []];
  if (!body || body.related.length + attached.length > limits.files) return null;
  const html = body.html && textOf(body.html, mail, limits.body);
  const text = body.text && textOf(body.text, mail, limits.body);
  if ((body.html && html === null) || (body.text && text === null)) return null;
  const shown = idsIn(html ?? '');
  /** URLs may have the id percent-encoded (RFC 2392). */
  const isShown = (id: string): boolean => shown.has(id) || shown.has(encodeURIComponent(id));
  const files = [
    ...body.related.map((leaf, i) => fileOf(leaf, i, () => true)),
    ...attached.map((leaf, i) => fileOf(leaf, body.related.length + i, isShown)),
  ];
  const plain = files.filter((file) => file !== null);
  return plain.length === files.length ? { html, text, files: plain } : null;
}

/** The name of a part as a mail program shows it. */
export function filenameOf({ fields, params }: Leaf): string | null {
  const { params: disposition } = dispositionOf({ fields });
  return decodeWords(disposition.filename ?? params.name ?? '');
}

/**
 * All names of a part, of which a mail program shows one: from its type and its disposition, encoded and not, including
 * repeated ones. Null stands for one that cannot be decoded.
 */
export function filenamesOf({ fields }: Pick<Leaf, 'fields'>): (string | null)[] {
  return [...valuesOf(fields, 'content-type'), ...valuesOf(fields, 'content-disposition')].flatMap((value) => {
    let count = 0;
    // Of parameters with the same name, the parser returns one.
    const distinct = value.replace(PLAIN_NAME, () => `; plain-${count++}=`);
    const { params } = parseHeaderValue(distinct, { stripComments: true });
    return Object.entries(params).flatMap(([name, text]) => (NAME.test(name) ? [decodeWords(text)] : []));
  });
}

/** The ids of the parts that the HTML refers to, as in its URLs. */
function idsIn(html: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [, url = ''] of html.matchAll(CID_URL)) {
    ids.add(url).add(url.split(AFTER_ID, 1)[0] ?? '');
  }
  return ids;
}

const isOf = ({ type }: Multipart, subtype: string): boolean => type === `multipart/${subtype}`;

function splitMixed(parts: readonly Part[], maxFiles: number): [Body | null, Leaf[]] {
  if (parts.length > 1 + maxFiles) return [null, []];
  const [first, ...others] = parts;
  const isFile = first?.kind === 'leaf' && isAttached(first);
  const files = isFile ? parts : others;
  const leaves = files.filter((part): part is Leaf => part.kind === 'leaf' && isAttached(part));
  if (!first || leaves.length < files.length) return [null, []];
  return [isFile ? { html: null, text: null, related: [] } : bodyOf(first), leaves];
}

function bodyOf(part: Part): Body | null {
  if (part.kind === 'leaf') return leafBody(part);
  const bodies = part.parts.map((inner, i) => (i === 0 || isOf(part, 'alternative') ? bodyOf(inner) : null));
  const [first, second] = bodies;
  if (!first) return null;
  if (isOf(part, 'related')) return relatedBody(first, part);
  if (!isOf(part, 'alternative') || part.parts.length > 2) return null;
  if (part.parts.length === 1) return first;
  const isTextFirst = first.text && !first.html && second?.html && !second.text;
  return isTextFirst ? { ...second, text: first.text } : null;
}

function relatedBody(body: Body, { parts, params }: Multipart): Body | null {
  const others = parts.slice(1).filter((part): part is Leaf => part.kind === 'leaf' && contentIdOf(part) !== null);
  const isPlain = body.html && others.length === parts.length - 1 && params.start === undefined;
  return isPlain ? { ...body, related: [...body.related, ...others] } : null;
}

function leafBody(leaf: Leaf): Body | null {
  if (dispositionOf(leaf).value === 'attachment' || encodingOf(leaf) === null) return null;
  if (leaf.type === 'text/html') return { html: leaf, text: null, related: [] };
  return leaf.type === 'text/plain' ? { html: null, text: leaf, related: [] } : null;
}

/** A text or an image that is to be shown between other parts is no attachment. */
function isAttached(leaf: Leaf): boolean {
  const { value } = dispositionOf(leaf);
  if (value === 'attachment') return true;
  if (/^(?:text|image)\//.test(leaf.type))
    return value !== 'inline' ? filenameOf(leaf) !== '' : contentIdOf(leaf) !== null;
  return true;
}

function textOf(leaf: Leaf, mail: Buffer, maxLength: number): string | null {
  if (leaf.end - leaf.start > MAX_ENCODED_TEXT) return null;
  const encoded = mail.subarray(leaf.start, leaf.end);
  const encoding = encodingOf(leaf);
  if (encoding === 'base64' && !isWholeBase64(encoded)) return null;
  // A copy, because the mail may have to be sent as it came.
  const bytes = encoding === null ? encoded : decodeInPlace(Buffer.from(encoded), encoding);
  const text = decodeLines(bytes, leaf.params.charset ?? '');
  const body = text?.replace(/\n$/, '') ?? null;
  return body !== null && body.length <= maxLength ? body : null;
}

function fileOf(leaf: Leaf, index: number, isShown: (contentId: string) => boolean): PlainFile | null {
  const [encoding, filename, id] = [encodingOf(leaf), filenameOf(leaf), contentIdOf(leaf)];
  const isOrdinary = !NOT_ATTACHABLE.test(leaf.type) && valuesOf(leaf.fields, 'content-location').length === 0;
  if (!isOrdinary || encoding === null || filename === null) return null;
  const { charset } = leaf.params;
  return {
    leaf,
    encoding,
    filename: filename || `attachment-${index + 1}.${detectExtension(leaf.type)}`,
    contentType: charset && CHARSET.test(charset) ? `${leaf.type}; charset=${charset}` : leaf.type,
    contentId: id !== null && isShown(id) ? id : null,
  };
}

/** Returns null if the encoding is not known. */
export function encodingOf({ fields }: Leaf): TransferEncoding | null {
  const [value = '7bit', ...others] = new Set(valuesOf(fields, 'content-transfer-encoding'));
  const encoding = TRANSFER_ENCODINGS.find((known) => known === value.toLowerCase());
  return others.length === 0 ? (encoding ?? null) : null;
}

export const dispositionOf = ({ fields }: Pick<Leaf, 'fields'>) => {
  const { value, params } = parseHeaderValue(valuesOf(fields, 'content-disposition')[0] ?? '', { stripComments: true });
  return { value: value.toLowerCase(), params };
};

const contentIdOf = ({ fields }: Leaf): string | null =>
  /^<([^<>\s]+)>$/.exec(valuesOf(fields, 'content-id')[0] ?? '')?.[1] ?? null;
