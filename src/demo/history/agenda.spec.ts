import { describe, expect, it } from '@jest/globals';

import { Agenda } from './agenda.js';
import { PastClock } from './past-clock.js';

const at = (minute: number) => new Date(minute * 60_000);

describe('Agenda', () => {
  function setUp() {
    const clock = new PastClock(at(0));
    const agenda = new Agenda(clock, at(100));
    const acts: [string, Date][] = [];
    const note = (name: string) => () => Promise.resolve(void acts.push([name, clock.now()]));
    return { clock, agenda, acts, note };
  }

  it('does everything in the order of time, at its time, and ends at the end', async () => {
    const { clock, agenda, acts, note } = setUp();
    agenda.add(at(20), note('second'));
    agenda.add(at(10), async () => {
      await note('first')();
      agenda.add(at(15), note('follows from the first'));
    });
    await agenda.run();
    expect(acts).toEqual([
      ['first', at(10)],
      ['follows from the first', at(15)],
      ['second', at(20)],
    ]);
    expect(clock.now()).toEqual(at(100));
  });

  it('leaves out what comes after the end', async () => {
    const { agenda, acts, note } = setUp();
    agenda.add(at(100), note('too late'));
    await agenda.run();
    expect(acts).toEqual([]);
  });

  it('does what an earlier act has delayed as soon as that is over', async () => {
    const { clock, agenda, acts, note } = setUp();
    agenda.add(at(10), () => {
      clock.advance(30 * 60_000);
      return Promise.resolve();
    });
    agenda.add(at(20), note('late'));
    await agenda.run();
    expect(acts).toEqual([['late', at(40)]]);
  });
});
