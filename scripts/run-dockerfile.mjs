// Executes the steps of the Dockerfile without a container engine, each stage in an empty directory of its own, starts
// the result, asks its health check, and stops it. So a missing COPY is noticed, and a write outside of .data.
// The base image is this machine; users and labels are not simulated.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const context = fileURLToPath(new URL('../', import.meta.url));
const read = (name) => readFileSync(join(context, name), 'utf8');
const ignored = read('.dockerignore').split('\n').filter(Boolean);
const steps = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean)
  .map((line) => ({ line, instruction: line.split(' ')[0], rest: line.replace(/^\S+\s+/, '') }));

const base = mkdtempSync(join(tmpdir(), 'image-'));
chmodSync(base, 0o755); // an embedded PostgreSQL runs as another user
const stages = new Map();
let stage;
try {
  for (const step of steps) execute(step);
  await startAndStop();
  console.log('The image builds, starts, is healthy and stops.');
} finally {
  rmSync(base, { recursive: true, force: true });
}

function execute({ line, instruction, rest }) {
  console.log(line);
  switch (instruction) {
    case 'FROM': {
      const name = / AS (\S+)$/.exec(rest)?.[1] ?? 'last';
      stage = { root: join(base, name), workdir: '/', env: { PATH: process.env.PATH, HOME: join(base, 'home') } };
      stages.set(name, stage);
      return mkdirSync(stage.root);
    }
    case 'WORKDIR':
      stage.workdir = rest;
      return mkdirSync(inStage('.'), { recursive: true });
    case 'ENV': {
      const [, name, value] = /^(\w+)=(\S+)$/.exec(rest);
      stage.env[name] = value;
      return;
    }
    case 'COPY':
      return copy(rest.split(/\s+/));
    case 'RUN':
      execFileSync('sh', ['-ec', rest], { cwd: inStage('.'), env: stage.env, stdio: ['ignore', 'inherit', 'inherit'] });
      return;
    case 'CMD':
      stage.command = JSON.parse(rest);
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(/ CMD (.*)$/.exec(rest)[1]);
      return;
    case 'LABEL':
    case 'USER':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`This script does not know the instruction ${instruction}`);
  }
}

function inStage(path, { root, workdir } = stage) {
  return join(root, resolve('/', workdir, path));
}

function copy(words) {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop();
  const root = from ? stages.get(from).root : context;
  for (const path of paths.flatMap((pattern) => matching(pattern, root))) {
    const source = join(root, path);
    const isTaken = (file) => from || !ignored.some((glob) => matchesGlob(relative(context, file), glob));
    const into = target.endsWith('/') && !statSync(source).isDirectory();
    cpSync(source, into ? join(inStage(target), path.split('/').at(-1)) : inStage(target), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isTaken,
    });
  }
}

/** What a pattern for names matches may be nothing. */
function matching(pattern, root) {
  if (!pattern.includes('*')) return [pattern];
  const folder = dirname(pattern);
  return readdirSync(join(root, folder)).flatMap((name) =>
    matchesGlob(name, basename(pattern)) ? [join(folder, name)] : [],
  );
}

async function startAndStop() {
  const startedAt = Date.now();
  const options = { cwd: inStage('.'), env: { ...stage.env, PORT: '38391' }, stdio: ['ignore', 'inherit', 'inherit'] };
  const [program, ...args] = stage.command;
  const child = spawn(program, args, options);
  const ended = new Promise((done) => child.once('exit', done));
  try {
    for (let tries = 1; ; tries++) {
      try {
        execFileSync(stage.healthCheck[0], stage.healthCheck.slice(1), { ...options, stdio: 'ignore' });
        break;
      } catch (error) {
        if (child.exitCode !== null || tries === 60) throw error;
        await pause(1_000);
      }
    }
    child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`It ended with ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
  const written = readdirSync(stage.root, { recursive: true })
    .filter((name) => !/(^|\/)\.data(\/|$)/.test(name))
    .filter((name) => statSync(join(stage.root, name)).mtimeMs >= startedAt);
  if (written.length > 0) throw new Error(`It wrote outside of .data: ${written.join(', ')}`);
}
