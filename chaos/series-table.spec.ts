import { describe, expect, it, jest } from '@jest/globals';

import { Gaps } from './checks/check-result.js';
import { printChecks, printRate } from './report.js';
import { formatRow, outcomeOf } from './series-table.js';

/** What the report of a run prints. */
function report(work: () => void): string {
  let printed = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    work();
  } finally {
    write.mockRestore();
  }
  return printed;
}

describe('The table of a series', () => {
  const check = (name: string, gaps: string[]) => ({ name, counted: 'all', gaps: new Gaps(gaps) });
  const output = report(() => {
    printRate({ accepted: 7_734, copies: 7_000 }, 60_000, 90_000);
    printChecks([check('Nothing is lost', ['c1 is lost']), check('Nothing is late', [])]);
  });

  it('shows what was accepted, and the checks that found gaps', () => {
    expect(outcomeOf(output, 1)).toEqual({ accepted: 7_734, gaps: ['Nothing is lost'] });
    expect(formatRow(14_673, 'redis', outcomeOf(output, 1))).toBe('     14673  redis         7734  Nothing is lost');
    expect(outcomeOf(output.replace(' GAP ', '  ok '), 0)).toEqual({ accepted: 7_734, gaps: [] });
  });

  it('shows why a run ended early', () => {
    const failed = 'Error: The run takes too long\nEverything stopped after 700.0 s.\n';
    expect(outcomeOf(failed, 1)).toEqual({ accepted: null, gaps: ['Error: The run takes too long'] });
  });

  it('follows the report of a run, which ends with the gaps', () => {
    expect(output.trimEnd()).toMatch(/ GAP {2}Nothing is lost\n.*\n.*c1 is lost$/);
  });
});
