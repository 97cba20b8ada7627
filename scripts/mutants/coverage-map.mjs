/** Which specs cover a mutant: by the statements of the service that ran in each, and by the SQL that each has sent. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import ts from 'typescript';

import { instrumenter } from '../../test/support/import-typescript.mjs';
import { chunksOf, isText, parse } from './mutations.mjs';

/** Too short a piece of SQL is in many statements. */
const TELLING = 12;

export class CoverageMap {
  #specs;
  #statements = new Map();

  constructor(directory) {
    const files = existsSync(directory) ? readdirSync(directory) : [];
    this.#specs = files.map((file) => {
      const entry = JSON.parse(gunzipSync(readFileSync(join(directory, file))));
      const covered = Object.entries(entry.covered).map(([path, ids]) => [path, new Set(ids)]);
      return { ...entry, covered: new Map(covered), sql: entry.sql.join('\n;\n') };
    });
  }

  get size() {
    return this.#specs.length;
  }

  has(spec) {
    return this.#specs.some((entry) => entry.spec === spec);
  }

  /** The cheapest first, as { spec, duration }. */
  coveringOf(mutant, source, sources) {
    const chunk = sqlAround(mutant, source);
    const isCovered =
      chunk !== undefined
        ? ({ sql }) => sql.includes(chunk)
        : isInFunction(nodesAt(mutant, source))
          ? this.#runs(mutant, source)
          : this.#uses(mutant, source, sources);
    return this.#specs.filter(isCovered).sort((a, b) => a.duration - b.duration);
  }

  #runs({ file, start, end }, source) {
    const spans = this.#statementsOf(file, source).filter((one) => one.start <= start && end <= one.end);
    const innermost = spans.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
    return ({ covered }) => covered.get(file)?.has(innermost?.id);
  }

  /** A constant is covered where a function runs in a file that mentions it, or a constant that is made of it. */
  #uses(mutant, source, sources) {
    const files = new Set([mutant.file]);
    const names = new Set([nameOf(nodesAt(mutant, source))]);
    for (const name of names) {
      if (name === undefined) continue;
      const mention = new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`);
      for (const [file, text] of Object.entries(sources)) {
        if (!mention.test(text)) continue;
        files.add(file);
        for (const statement of parse(file, text).statements)
          if (ts.isVariableStatement(statement) && mention.test(statement.getText()))
            for (const { name: constant } of statement.declarationList.declarations) names.add(constant.getText());
      }
    }
    const inFunctions = [...files].map((file) => {
      const statements = this.#statementsOf(file, sources[file]);
      return [file, statements.filter((one) => isInFunction(nodesAt(one, sources[file])))];
    });
    return ({ covered }) => inFunctions.some(([file, all]) => all.some(({ id }) => covered.get(file)?.has(id)));
  }

  #statementsOf(file, source) {
    if (!this.#statements.has(file)) {
      const lineStarts = ts.computeLineStarts(source);
      const offset = ({ line, column }) => lineStarts[line - 1] + column;
      instrumenter().instrumentSync(source, file);
      const { statementMap } = instrumenter().lastFileCoverage();
      const spans = Object.entries(statementMap).map(([id, { start, end }]) => ({
        id,
        file,
        start: offset(start),
        end: Number.isFinite(end.column) ? offset(end) : (lineStarts[end.line] ?? source.length),
      }));
      this.#statements.set(file, spans);
    }
    return this.#statements.get(file);
  }
}

const parsed = new Map();

/** From the file down to the smallest node that holds the span. */
function nodesAt({ file, start, end }, source) {
  if (!parsed.has(file)) parsed.set(file, parse(file, source));
  const nodes = [];
  const visit = (node) => {
    if (node.getStart() > start || node.getEnd() < end) return;
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parsed.get(file));
  return nodes;
}

const nameOf = (nodes) => nodes.findLast((node) => ts.isVariableDeclaration(node))?.name.getText();

const isInFunction = (nodes) =>
  nodes.some((node) => (ts.isFunctionLike(node) && node.body) || ts.isPropertyDeclaration(node));

/** The piece of the literal around the mutant, up to the next `${…}` on each side. */
function sqlAround(mutant, source) {
  const literal = nodesAt(mutant, source).findLast(isText);
  const chunk = literal && chunksOf(literal).find(({ start, end }) => start <= mutant.start && mutant.end <= end);
  if (!chunk) return undefined;
  const text = source
    .slice(chunk.start, chunk.end)
    .replaceAll('\\\\', '\\')
    .replaceAll("\\'", "'")
    .replaceAll('\\`', '`');
  return text.trim().length >= TELLING ? text : undefined;
}
