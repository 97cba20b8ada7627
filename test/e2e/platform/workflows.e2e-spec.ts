import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
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

it('A repeated release publishes only the packages that the registry lacks', () => {
  const release = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8')) as { jobs: Record<string, Job> };
  const publish = release.jobs.packages!.steps!.find(({ run }) => run?.includes('npm publish'))!.run!;
  const directory = mkdtempSync(join(tmpdir(), 'release-spec-'));
  try {
    for (const name of ['sdk', 'mcp']) {
      mkdirSync(join(directory, '.packages', name), { recursive: true });
      writeFileSync(join(directory, '.packages', name, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
    }
    const npm = 'case "$1 $2" in "view sdk@1.2.3") echo 1.2.3;; publish*) echo "$*" >> published;; *) exit 1;; esac';
    writeFileSync(join(directory, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${directory}${delimiter}${process.env.PATH}` };
    execFileSync('bash', ['-e', '-c', publish], { cwd: directory, env });
    expect(readFileSync(join(directory, 'published'), 'utf8')).toBe(
      'publish .packages/mcp --provenance --access public\n',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
