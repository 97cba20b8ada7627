/** The account conditions of the service: comparisons in SQL, and the criteria of TypeORM repositories. */
import ts from 'typescript';

import { isText, parse } from './mutations.mjs';

const COLUMN = String.raw`(?:\w+\.)?(?:account_id|"accountId")`;
const LIST = String.raw`ANY ?\((?:[^()]|\([^()]*\))*\)`;
const OPERAND = String.raw`(?:${LIST}|\$\d+(?:::\w+)?|\$\{[^}]*\}|coalesce\([^()]*\)|(?:\w+\.)?(?:\w+|"\w+")(?:::\w+)?)`;
const COMPARISON = new RegExp(
  String.raw`(?<![\w.])(?:${COLUMN} (?:=|<>|IS DISTINCT FROM) ${OPERAND}|${OPERAND} (?:=|<>|IS DISTINCT FROM) ${COLUMN}(?![\w]))`,
  'g',
);
/** `(a.account_id, a.key) = (b.account_id, b.key)`: the first pair goes. */
const ROWS = /\((?:\w+\.)?account_id, ([^()]*)\) = \((?:\w+\.)?(?:account_id|"accountId"), ([^()]*)\)/g;
const USING = /\bUSING \(account_id, ([^()]*)\)/g;
/** Calls of TypeORM's repositories, which are called `rows`, with criteria. */
const FINDERS = /^(?:find|findBy|findOne|findOneBy|findAndCount|exists|existsBy|count|countBy|update|delete)$/;

export function tenantMutantsOf(file, source) {
  if (!/\/infrastructure\/|^src\/platform\//.test(file)) return [];
  const mutants = [];
  const replace = (start, text, replacement) => mutants.push({ file, start, end: start + text.length, replacement });
  const visit = (node) => {
    if (isText(node) && !ts.isImportDeclaration(node.parent)) {
      const start = node.getStart();
      const text = node.getText();
      for (const { 0: found, index } of text.matchAll(COMPARISON))
        if (!isAssignment(text, index)) replace(start + index, found, `(${found} OR true)`);
      for (const { 0: found, 1: left, 2: right, index } of text.matchAll(ROWS))
        replace(start + index, found, `(${left}) = (${right})`);
      for (const { 0: found, 1: others, index } of text.matchAll(USING))
        replace(start + index, found, `USING (${others})`);
      if (ts.isTemplateExpression(node)) node.templateSpans.forEach(({ expression }) => visit(expression));
      return;
    }
    if (isAccountCriterion(node)) {
      const next = source.slice(node.getEnd()).match(/^\s*,\s*/)?.[0] ?? '';
      replace(node.getStart(), source.slice(node.getStart(), node.getEnd()) + next, '');
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file, source));
  // A literal within `${…}` of another one is found twice.
  return [...new Map(mutants.map((mutant) => [mutant.start, mutant])).values()];
}

const isAssignment = (text, index) => /\bSET (?:\w+ = [^,]*, )*$/.test(text.slice(0, index));

/** `accountId` in the criteria of `findOneBy({ accountId, id })`, `find({ where: { accountId } })` or `const where = {…}`. */
function isAccountCriterion(node) {
  if (!ts.isShorthandPropertyAssignment(node) && !ts.isPropertyAssignment(node)) return false;
  if (node.name.getText() !== 'accountId') return false;
  for (let { parent } = node; parent; parent = parent.parent) {
    if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'where') return true;
    if (ts.isVariableDeclaration(parent)) return parent.name.getText() === 'where';
    if (ts.isCallExpression(parent) && isFinder(parent, node)) return true;
    if (ts.isFunctionLike(parent) && !ts.isArrowFunction(parent)) return false;
  }
  return false;
}

function isFinder({ expression, arguments: [criteria] }, node) {
  return (
    ts.isPropertyAccessExpression(expression) &&
    FINDERS.test(expression.name.getText()) &&
    /\brows(?:\(\))?$/.test(expression.expression.getText()) &&
    criteria.getStart() <= node.getStart() &&
    criteria.getEnd() >= node.getEnd()
  );
}
