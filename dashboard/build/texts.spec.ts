import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import ts from 'typescript';

const SOURCES = resolve(import.meta.dirname, '../src');
const TEXTS = join(SOURCES, 'texts');
const SOURCE = 'en';

const parsed = new Map<string, ts.SourceFile>();
let files: string[] | undefined;

/** The texts by language and id. */
const texts = new Map(
  readdirSync(TEXTS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, textsOf(name)] as const),
);
const english = texts.get(SOURCE)!;
const uses = sourceFiles().flatMap(usesIn);

describe('texts', () => {
  it.each([...texts.keys()].filter((language) => language !== SOURCE))(
    'are complete in "%s", with the arguments and tags of the English ones',
    (language) => {
      const signatures = (of: ReadonlyMap<string, string>) =>
        Object.fromEntries([...of].map(([id, text]) => [id, { ...signatureOf(text) }]));
      expect(signatures(texts.get(language)!)).toEqual(signatures(english));
    },
  );

  it('are all used', () => {
    const used = new Set(sourceFiles().flatMap(textsUsedIn));
    expect([...english.keys()].filter((id) => !used.has(id))).toEqual([]);
  });

  it('get the values and elements that they name', () => {
    const wrong = uses.filter(({ id, values, tags }) => {
      const text = signatureOf(english.get(id) ?? '');
      return !isSame(values, text.values) || !isSame(tags, text.tags);
    });
    expect(wrong).toEqual([]);
  });

  it('are loaded with the page or dialog that uses them', () => {
    const loads = sourceFiles().flatMap(loadsIn);
    const missing = loads.flatMap(({ section, file }) =>
      [...reachableFrom(file)]
        .flatMap(textsUsedIn)
        .filter((id) => !id.startsWith('common.') && !id.startsWith(`${section}.`))
        .map((id) => `${relative(SOURCES, file)}: ${id}`),
    );
    expect(missing).toEqual([]);
    const pages = sourceFiles().filter(
      (file) => file.startsWith(join(SOURCES, 'pages/')) && file.endsWith('-page.tsx'),
    );
    expect(pages.filter((file) => !loads.some((load) => load.file === file))).toEqual([]);
  });

  it('of the frame around the pages are common ones', () => {
    const frame = sourceFiles().filter((file) => /^(app|components)\//.test(relative(SOURCES, file)));
    expect(frame.flatMap(textsUsedIn).filter((id) => !id.startsWith('common.'))).toEqual([]);
  });
});

function textsOf(language: string): Map<string, string> {
  const directory = join(TEXTS, language);
  return new Map(
    readdirSync(directory).flatMap((file) => {
      const section = Object.entries(JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, string>);
      return section.map(([key, text]) => [`${file.slice(0, -'.json'.length)}.${key}`, text] as const);
    }),
  );
}

/** The names of the arguments and of the tags in a text. */
function signatureOf(text: string): { values: string[]; tags: string[] } {
  const values = new Set<string>();
  const tags = new Set<string>();
  const visit = (message: CompiledMessage | string): void => {
    for (const token of typeof message === 'string' ? [message] : message) {
      if (typeof token === 'string') for (const [, tag] of token.matchAll(/<(\w+)\/?>/g)) tags.add(tag!);
      else {
        values.add(token[0]);
        for (const branch of Object.values(token[2] ?? {}))
          if (Array.isArray(branch) || typeof branch === 'string') visit(branch as CompiledMessage | string);
      }
    }
  };
  visit(compileMessage(text));
  return { values: [...values].sort(), tags: [...tags].sort() };
}

interface Use {
  id: string;
  /** Undefined if the source does not spell them out. */
  values: string[] | undefined;
  tags: string[] | undefined;
  at: string;
}

/** The calls of `t` and the elements `RichText` whose id stands there. */
function usesIn(file: string): Use[] {
  const found: Use[] = [];
  const source = parse(file);
  const add = (id: ts.Expression | undefined, values: string[] | undefined, tags: string[] | undefined) => {
    for (const literal of idsOf(id)) {
      const { line } = source.getLineAndCharacterOfPosition(id!.pos);
      found.push({ id: literal, values, tags, at: `${relative(SOURCES, file)}:${line + 1}` });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 't')
      add(node.arguments[0], keysOf(node.arguments[1]), []);
    if (ts.isJsxSelfClosingElement(node) && node.tagName.getText(source) === 'RichText')
      add(attribute(node, 'id'), keysOf(attribute(node, 'values')), keysOf(attribute(node, 'tags')));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The ids that an expression can be, as far as they are literals. */
function idsOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...idsOf(node.whenTrue), ...idsOf(node.whenFalse)];
  return [];
}

function attribute(element: ts.JsxSelfClosingElement, name: string): ts.Expression | undefined {
  const found = element.attributes.properties.find(
    (property) => ts.isJsxAttribute(property) && property.name.getText() === name,
  );
  const value = found && ts.isJsxAttribute(found) ? found.initializer : undefined;
  return value && ts.isJsxExpression(value) ? value.expression : value;
}

/** The keys of an object literal, sorted; undefined if it is something else. */
function keysOf(node: ts.Expression | undefined): string[] | undefined {
  if (!node) return [];
  if (!ts.isObjectLiteralExpression(node) || node.properties.some(ts.isSpreadAssignment)) return undefined;
  return node.properties.map(({ name }) => name!.getText()).sort();
}

const isSame = (actual: string[] | undefined, expected: string[]): boolean =>
  actual === undefined || actual.join() === expected.join();

function literalsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Ids that are put together, as in t(`messages.status.${status}`). */
function templatesIn(file: string): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) && /^[a-z-]+\./.test(node.head.text)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      found.push(new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`));
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** The ids of all texts that the file can show. */
function textsUsedIn(file: string): string[] {
  const literals = new Set(literalsIn(file));
  const patterns = templatesIn(file);
  return [...english.keys()].filter((id) => literals.has(id) || patterns.some((pattern) => pattern.test(id)));
}

/** The files that are loaded with the texts of a section, as by `withTexts('lists', () => import('…'))`. */
function loadsIn(file: string): { section: string; file: string }[] {
  const found: { section: string; file: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(lazyWithTexts|withTexts)$/.test(node.expression.getText())) {
      const [section, load] = node.arguments;
      const path = load && ts.isArrowFunction(load) && ts.isCallExpression(load.body) && load.body.arguments[0];
      if (section && ts.isStringLiteral(section) && path && ts.isStringLiteral(path))
        found.push({ section: section.text, file: resolved(path.text, file)! });
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** The file and its imports within the dashboard, dynamic ones too unless they load texts of their own. */
function reachableFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const loads = loadsIn(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
    const target = resolved(fileName, file);
    if (target && !loads.some((load) => load.file === target)) reachableFrom(target, found);
  }
  return found;
}

function resolved(specifier: string, from: string): string | undefined {
  return sourceFiles().find((source) => source.replace(/\.tsx?$/, '') === resolve(dirname(from), specifier));
}

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

function sourceFiles(): string[] {
  files ??= readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.ts$|schema\.d\.ts$/.test(file))
    .map((file) => join(SOURCES, file));
  return files;
}
