/** A metric as an expression selects it. */
export interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
}

const SELECTOR = /([a-zA-Z_:][\w:]*)\{([^}]*)\}/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const GROUPING = /\b(?:by|on|ignoring|without)\s*\(([^)]*)\)/g;

/** Reads the expressions of this repository, which select with braces, and whose label values contain none. */
export const selectorsOf = (expression: string): Selector[] =>
  [...expression.matchAll(SELECTOR)].map(([, metric = '', matchers = '']) => ({
    metric,
    matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  }));

/** The labels by which an expression groups or joins. */
export const groupingsOf = (expression: string): string[] =>
  [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  );

/** What remains of an expression without its selectors, in which no metric may be left. */
export const withoutSelectors = (expression: string): string => expression.replaceAll(SELECTOR, '0');

/** What a process exposes: the metrics by sample name, each with the values of its labels. */
export class Exposition {
  private readonly samples = new Map<string, Map<string, Set<string>>>();
  private readonly help: Map<string, string>;

  constructor(text: string) {
    this.help = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]));
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = this.samples.get(name) ?? new Map<string, Set<string>>();
      this.samples.set(name, known);
      for (const [, label = '', , value = ''] of labels.matchAll(MATCHER))
        known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }

  has(metric: string): boolean {
    return this.samples.has(metric);
  }

  labelsOf(metric: string): string[] {
    return [...(this.samples.get(metric)?.keys() ?? [])];
  }

  /** Whether the label has such a value, or the help text of the metric names it. */
  hasValue(metric: string, label: string, pattern: string): boolean {
    const seen = [...(this.samples.get(metric)?.get(label) ?? [])];
    if (seen.some((value) => new RegExp(`^(?:${pattern})$`).test(value))) return true;
    const help = this.help.get(metric.replace(/_(count|sum|bucket)$/, '')) ?? '';
    return new RegExp(`\\b(?:${pattern})\\b`).test(help);
  }
}
