/** What can be broken in a source file, with the TypeScript compiler's syntax tree. No types are needed. */
import ts from 'typescript';

const SWAPPED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
};

/** Clauses of SQL and what replaces them. A comparison stays in the text, for PostgreSQL needs to know its parameters. */
const OPERAND = String.raw`(?:\$\d+|\d+|'[^']*'|(?:\w+\.)?(?:\w+|"\w+"))(?:::[\w[\]]+)?`;
const SQL_CLAUSES = [
  [/ FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g, () => ''],
  [/ SKIP LOCKED/g, () => ''],
  [/ LIMIT (?:\$\d+|\d+)/g, () => ''],
  [/\bDISTINCT(?! (?:ON|FROM))\b/g, () => ''],
  [/ DESC\b/g, () => ''],
  [/\bIS NULL\b/g, () => 'IS NOT NULL'],
  [/\bIS NOT NULL\b/g, () => 'IS NULL'],
  [/ ON CONFLICT(?: \([^)]*\))? DO NOTHING/g, () => ''],
  [
    new RegExp(`(?<=\\b(?:WHERE|AND|ON) )${OPERAND} (?:=|<>|<=?|>=?) ${OPERAND}(?![\\w(.])`, 'g'),
    (text) => `(${text} OR true)`,
  ],
  [/(?<=[\w)"] )<=?(?= [\w$(])/g, (text) => SWAPPED[text]],
  [/(?<=[\w)"] )>=?(?= [\w$(])/g, (text) => SWAPPED[text]],
];
const LOOKS_LIKE_SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|RETURNING|FROM)\b|\bAND\b/;
const LOGS = /^(?:await )?(?:\w+\.)*(?:log|logger)\.\w+\(/;

export function parse(file, source) {
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
}

/** All mutants of one file, as { file, start, end, replacement }. */
export function mutantsOf(file, source) {
  const mutants = [];
  const replace = (start, end, replacement) => {
    if (source.slice(start, end) !== replacement) mutants.push({ file, start, end, replacement });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isDecorator(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    mutate(node, source, (start, end, replacement) => replace(start, end, replacement));
    ts.forEachChild(node, visit);
  };
  visit(parse(file, source));
  return mutants;
}

function mutate(node, source, replace) {
  const [start, end] = [node.getStart(), node.getEnd()];
  const text = source.slice(start, end);
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = node.expression ?? node.condition;
    const value = condition.getText();
    for (const replacement of [`!(${value})`, 'true', 'false'])
      replace(condition.getStart(), condition.getEnd(), replacement);
  } else if (ts.isBinaryExpression(node)) {
    const { operatorToken, left, right } = node;
    const operator = operatorToken.getText();
    if (operator in SWAPPED) replace(operatorToken.getStart(), operatorToken.getEnd(), SWAPPED[operator]);
    if (['&&', '||', '??'].includes(operator)) for (const side of [left, right]) replace(start, end, side.getText());
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replace(start, end, node.operand.getText());
  } else if (ts.isExpressionStatement(node) && !text.startsWith('super(')) {
    if (!LOGS.test(text)) replace(start, end, ';');
  } else if (ts.isThrowStatement(node)) replace(start, end, ';');
  else if (ts.isAwaitExpression(node)) replace(start, end, node.expression.getText());
  else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(start, end, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(start, end, 'true');
  else if (isText(node) && LOOKS_LIKE_SQL.test(text)) mutateSql(node, source, replace);
}

function mutateSql(node, source, replace) {
  for (const { start, end } of chunksOf(node)) {
    const text = source.slice(start, end);
    for (const [pattern, replacementOf] of SQL_CLAUSES)
      for (const match of text.matchAll(pattern))
        replace(start + match.index, start + match.index + match[0].length, replacementOf(match[0]));
  }
}

export const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** The parts of a literal between its `${…}`. */
export function chunksOf(node) {
  if (!ts.isTemplateExpression(node)) return [{ start: node.getStart() + 1, end: node.getEnd() - 1 }];
  const spans = node.templateSpans.map(({ literal }) => literal);
  return [node.head, ...spans].map((part) => ({
    start: part.getStart() + 1,
    end: part.getEnd() - (part.kind === ts.SyntaxKind.TemplateTail ? 1 : 2),
  }));
}
