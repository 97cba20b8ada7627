import { t } from '../../texts/text';

export interface TemplateFault {
  /** Positions in the template. */
  from: number;
  to: number;
  message: string;
}

interface Tag {
  from: number;
  to: number;
  sigil: string;
  name: string;
}

/** Finds the syntax errors of a Mustache template. The server's own parser decides what is accepted. */
export function templateFaults(template: string): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const open: Tag[] = [];
  for (const tag of tagsOf(template, faults)) {
    const { from, to, sigil, name } = tag;
    const add = (message: string) => faults.push({ from, to, message });
    if (sigil === '>') add(t('common.templateFault.partials'));
    else if (sigil === '=') add(t('common.templateFault.delimiters'));
    else if (sigil !== '!' && name === '') add(t('common.templateFault.nameMissing'));
    else if (sigil === '#' || sigil === '^') open.push(tag);
    else if (sigil === '/') {
      const last = open.at(-1);
      if (last?.name === name) open.pop();
      else if (last) add(t('common.templateFault.closesOther', { name, open: last.name }));
      else add(t('common.templateFault.closesNothing', { name }));
    }
  }
  for (const { from, to, name } of open)
    faults.push({ from, to, message: t('common.templateFault.notClosed', { name, tag: `{{/${name}}}` }) });
  return faults.sort((a, b) => a.from - b.from);
}

function* tagsOf(template: string, faults: TemplateFault[]): Generator<Tag> {
  let at = template.indexOf('{{');
  while (at !== -1) {
    const isTriple = template.startsWith('{{{', at);
    const closing = isTriple ? '}}}' : '}}';
    const start = at + closing.length;
    const end = template.indexOf(closing, start);
    if (end === -1) {
      faults.push({ from: at, to: start, message: t('common.templateFault.tagNotClosed', { closing }) });
      return;
    }
    const content = template.slice(start, end).trim();
    const sigil = isTriple ? '&' : (/^[#^/!>=&]/.exec(content)?.[0] ?? '');
    const to = end + closing.length;
    yield { from: at, to, sigil, name: (isTriple ? content : content.slice(sigil.length)).trim() };
    at = template.indexOf('{{', to);
  }
}
