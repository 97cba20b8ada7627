import mustache from 'mustache';

import { DomainError } from '../../../shared/domain-error.js';
import { escapeHtml } from '../../../shared/escape-html.js';
import { isSingleLine } from '../../../shared/single-line.js';
import type { ParsedTemplate, TemplateField } from './parse-template.js';
import { MAX_RENDER_STEPS, MAX_RENDERED_LENGTH, MAX_SUBJECT_LENGTH } from './template-limits.js';
import { TemplateLink } from './template-link.js';

/**
 * Renders a part. Missing variables, and lists and objects used as values, render empty. Values are escaped in HTML.
 * Throws `invalid`, naming the field, if the result is too large or is a subject that could end its header.
 */
export function fillTemplate(
  field: TemplateField,
  { tokens }: ParsedTemplate,
  variables: Record<string, unknown>,
): string {
  const limits = new RenderLimits(field);
  const writer = new LimitedWriter(limits, field === 'html' ? escapeForHtml : asText);
  const rendered = writer.renderTokens(tokens as unknown as string[][], new OwnPropertyContext(variables, limits));
  if (field === 'subject') requireHeaderText(rendered);
  return rendered;
}

function requireHeaderText(subject: string): void {
  const once = 'once its variables are filled in';
  if (!isSingleLine(subject)) {
    throw DomainError.invalid(`subject must not hold line breaks or control characters ${once}`);
  }
  if (subject.length > MAX_SUBJECT_LENGTH) {
    throw DomainError.invalid(`subject is longer than ${MAX_SUBJECT_LENGTH} characters ${once}`);
  }
}

/** Stops rendering that becomes too expensive: nested sections over long lists multiply. */
class RenderLimits {
  private length = 0;
  private steps = 0;

  constructor(private readonly field: TemplateField) {}

  write(text: string): string {
    this.length += text.length;
    if (this.length <= MAX_RENDERED_LENGTH) return text;
    throw DomainError.invalid(
      `${this.field} is longer than ${MAX_RENDERED_LENGTH} characters once its variables are filled in`,
    );
  }

  step(count: number): void {
    this.steps += count;
    if (this.steps > MAX_RENDER_STEPS) throw DomainError.invalid(`${this.field} repeats its sections too often`);
  }
}

/** Looks up only what the caller passed in: own properties, no functions. */
class OwnPropertyContext extends mustache.Context {
  constructor(
    view: unknown,
    private readonly limits: RenderLimits,
    private readonly outer?: OwnPropertyContext,
  ) {
    super(view);
  }

  override push(view: unknown): OwnPropertyContext {
    return new OwnPropertyContext(view, this.limits, this);
  }

  override lookup(name: string): unknown {
    return name === '.' ? this.view : this.find(name.split('.'));
  }

  /** Searches from the innermost section outwards for one that has the whole dotted name. */
  private find(path: string[]): unknown {
    this.limits.step(path.length);
    const value = valueAt(this.view, path);
    return value === undefined && this.outer ? this.outer.find(path) : value;
  }
}

function valueAt(view: unknown, path: string[]): unknown {
  let value = view;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'function' ? undefined : value;
}

class LimitedWriter extends mustache.Writer {
  constructor(
    private readonly limits: RenderLimits,
    private readonly escape: (value: unknown) => string,
  ) {
    super();
  }

  override renderTokens(tokens: string[][], context: OwnPropertyContext): string {
    this.limits.step(tokens.length + 1);
    return super.renderTokens(tokens, context);
  }

  override rawValue(token: string[]): string {
    return this.limits.write(super.rawValue(token));
  }

  override escapedValue([, name]: string[], context: OwnPropertyContext): string {
    return this.limits.write(this.escape(context.lookup(name ?? '')));
  }

  override unescapedValue([, name]: string[], context: OwnPropertyContext): string {
    return this.limits.write(asText(context.lookup(name ?? '')));
  }
}

/** Keeps the slashes of a link: some programs that search HTML for links do not decode entities. */
const escapeForHtml = (value: unknown): string =>
  value instanceof TemplateLink ? escapeHtml(value.url) : mustache.escape(asText(value));

function asText(value: unknown): string {
  if (value instanceof TemplateLink) return value.url;
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}
