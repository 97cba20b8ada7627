import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Job {
  needs?: string | string[];
  permissions?: object;
  /** Unless the job is another workflow. */
  steps?: { run?: string; uses?: string }[];
  uses?: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe.each(readdirSync(FOLDER))('The workflow %s', (file) => {
  const workflow = parse(readFileSync(join(FOLDER, file), 'utf8')) as {
    permissions: object;
    jobs: Record<string, Job>;
  };
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run])).join('\n');

  it('may read, and more only where a job says so', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('runs only what there is', () => {
    const names = [...commands.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(names.filter((name) => scripts[name!] === undefined)).toEqual([]);
    const files = [...commands.matchAll(/(?:^|\s)((?:deploy|scripts|\.ci)\/[\w./-]+|docker-compose[\w.-]*)/g)];
    expect(files.filter(([, path]) => !existsSync(join(ROOT, path!)))).toEqual([]);
  });

  it('takes foreign actions at a commit, and workflows that there are', () => {
    const uses = [...jobs, ...steps].flatMap((user) => user.uses ?? []);
    const missing = uses.filter((name) => name.startsWith('./') && !existsSync(join(ROOT, name)));
    const movable = uses.filter((name) => !name.startsWith('./') && !/@[0-9a-f]{40}$/.test(name));
    expect({ missing, movable }).toEqual({ missing: [], movable: [] });
  });

  it('has each job that another one needs', () => {
    const needed = jobs.flatMap(({ needs = [] }) => needs);
    expect(Object.keys(workflow.jobs)).toEqual(expect.arrayContaining(needed));
  });
});
