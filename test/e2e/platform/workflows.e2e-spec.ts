import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Job {
  needs?: string;
  permissions?: object;
  steps: { run?: string; uses?: string }[];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe.each(readdirSync(FOLDER))('The workflow %s', (file) => {
  const workflow = parse(readFileSync(join(FOLDER, file), 'utf8')) as {
    permissions: object;
    jobs: Record<string, Job>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
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

  it('has each job that another one needs', () => {
    const needed = Object.values(workflow.jobs).flatMap(({ needs = [] }) => needs);
    expect(Object.keys(workflow.jobs)).toEqual(expect.arrayContaining(needed));
  });
});
