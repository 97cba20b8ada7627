import mustache from 'mustache';

import { DomainError } from '../../../shared/domain-error.js';
import { escapeHtml, isSingleLine } from '../../../shared/text.js';
import type { ParsedTemplate, TemplateField } from './parse-template.js';
import { MAX_RENDERED_LENGTH, MAX_SUBJECT_LENGTH } from './template-limits.js';
import { TemplateLink } from './template-link.js';

/** The rendering takes more steps, or fills in more characters, than it was given. */
export class TooManySteps extends Error {}

/** The steps that rendering the parts of a mail may take, and the characters to fill in, all parts together. */
export class RenderSteps {
  constructor(
    private left: number,
    private charactersLeft = Infinity,
  ) {}

  /** Throws TooManySteps. */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooManySteps();
  }

  /** Throws TooManySteps. */
  fillIn(text: string): string {
    this.charactersLeft -= text.length;
    if (this.charactersLeft < 0) throw new TooManySteps();
    return text;
  }
}

/**
 * Renders a part. Missing variables, and lists and objects used as values, render empty; `missing` collects the names
 * of those that are rendered, in order. Values are escaped in HTML. Throws TooManySteps, and `invalid`, naming the
 * field, if the result is too large or is a subject that could end its header.
 */
export function fillTemplate(
  field: TemplateField,
  { tokens }: ParsedTemplate,
  variables: Record<string, unknown>,
  steps: RenderSteps,
  missing?: Set<string>,
): string {
  const limits = new RenderLimits(field, steps);
  const writer = new LimitedWriter(limits, field === 'html' ? escapeForHtml : (_, text) => text, missing);
  const rendered = writer.renderTokens(tokens as unknown as string[][], new OwnPropertyContext(variables, limits));
  if (field === 'subject') requireHeaderText(rendered);
  return rendered;
}

function requireHeaderText(subject: string): void {
  const once = 'once its variables are filled in';
  if (!isSingleLine(subject)) {
    throw DomainError.invalid(`subject must not hold line breaks or control characters ${once}`, 'template_fault');
  }
  if (subject.length > MAX_SUBJECT_LENGTH) {
    throw DomainError.invalid(`subject is longer than ${MAX_SUBJECT_LENGTH} characters ${once}`, 'template_fault');
  }
}

/** Stops rendering that becomes too expensive: nested sections over long lists multiply. */
class RenderLimits {
  private length = 0;

  constructor(
    private readonly field: TemplateField,
    private readonly steps: RenderSteps,
  ) {}

  write(text: string): string {
    this.length += text.length;
    if (this.length <= MAX_RENDERED_LENGTH) return text;
    throw DomainError.invalid(
      `${this.field} is longer than ${MAX_RENDERED_LENGTH} characters once its variables are filled in`,
      'template_fault',
    );
  }

  step(count: number): void {
    this.steps.take(count);
  }

  /** The text of a value, before it is escaped. */
  textOf(value: unknown): string {
    return this.steps.fillIn(asText(value));
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
    private readonly escape: (value: unknown, text: string) => string,
    private readonly missing?: Set<string>,
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

  override escapedValue([, name = '']: string[], context: OwnPropertyContext): string {
    const value = this.find(name, context);
    return this.limits.write(this.escape(value, this.limits.textOf(value)));
  }

  override unescapedValue([, name = '']: string[], context: OwnPropertyContext): string {
    return this.limits.write(this.limits.textOf(this.find(name, context)));
  }

  private find(name: string, context: OwnPropertyContext): unknown {
    const value = context.lookup(name);
    if (this.missing && name !== '.' && !isScalar(value) && !(value instanceof TemplateLink)) this.missing.add(name);
    return value;
  }
}

/** Keeps the slashes of a link: some programs that search HTML for links do not decode entities. */
const escapeForHtml = (value: unknown, text: string): string =>
  value instanceof TemplateLink ? escapeHtml(text) : mustache.escape(text);

function asText(value: unknown): string {
  if (value instanceof TemplateLink) return value.url;
  return isScalar(value) ? String(value) : '';
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
