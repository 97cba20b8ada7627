import { availableParallelism, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

import { DomainError } from '../shared/domain-error.js';
import { Limiter } from './limiter.js';
import { THREAD_PROGRAM } from './thread-program.js';

/** Work whose cost depends on content: a pure function of a value that can be cloned. Buffers stay Buffers. */
export interface ContentTask<Input, Output> {
  name: string;
  /** The name of the input in the error for an input that takes too much. */
  subject: string;
  run: (input: Input) => Output;
}

export interface ThreadLimits {
  threads: number;
  /**
   * The limit of one task, without the start of its thread: of time, and of processor time of the process. So a machine
   * that is busy with other work refuses nothing.
   */
  taskMs: number;
  /** The limit of the heap of a thread. Buffers do not count. */
  heapMb: number;
  /** A thread without work ends after this time. */
  idleMs: number;
}

/** The characters or bytes that a task processes within some milliseconds, whatever they are (ADR 24). */
export const INLINE_SIZE = 32_768;
/** At least two, so that an account that keeps one busy leaves one to the others. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));
const LIMITS: ThreadLimits = { threads: THREADS, taskMs: 5_000, heapMb: 256, idleMs: 30_000 };
const CHECK_AGAIN_MS = 100;
/** The event loop takes precedence, but leaves a quarter of a core that they share to the threads. */
const NICENESS = 5;

interface Job {
  name: string;
  input: unknown;
  /** Buffers of the input that move to the thread instead of being copied, and back with the output. */
  transfer: readonly ArrayBuffer[];
}

export interface TaskOptions {
  accountId: string;
  /** The size of the input, in characters or bytes. */
  size: number;
  /** Buffers that the caller must not use afterwards if the task runs in a thread, except in its output. */
  transfer?: readonly ArrayBuffer[];
}

/** A refusal is sent by its fields, because a clone of an error has no class. */
type Outcome = { output: unknown } | { refusal: Pick<DomainError, 'kind' | 'code' | 'message'> } | { fault: unknown };

const STARTED = 'started';

/** Runs content tasks in worker threads, which start when they are first needed. */
export class ContentThreads {
  private readonly permits: Limiter;
  private readonly idle = new Set<Thread>();

  constructor(
    private readonly program = THREAD_PROGRAM,
    private readonly limits = LIMITS,
  ) {
    const { threads } = limits;
    this.permits = new Limiter({ total: threads, perKey: Math.max(1, threads - 1) });
  }

  /**
   * Runs the task at once if its input has at most INLINE_SIZE characters or bytes, and in a thread otherwise; accounts
   * take turns. Throws what the task throws, `invalid` if it takes more than its limits, and `unavailable` if the
   * thread is lost.
   */
  async run<Input, Output>(
    task: ContentTask<Input, Output>,
    input: Input,
    { accountId, size, transfer }: TaskOptions,
  ): Promise<Output> {
    return size <= INLINE_SIZE ? task.run(input) : this.runInThread(task, input, accountId, transfer);
  }

  async runInThread<Input, Output>(
    { name, subject }: ContentTask<Input, Output>,
    input: Input,
    accountId: string,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Output> {
    const outcome = await this.permits.run(accountId, async () => {
      const [thread = new Thread(this.program, this.limits, this.idle)] = this.idle;
      try {
        return await thread.run({ name, input, transfer });
      } catch (error) {
        throw error instanceof TooCostly
          ? DomainError.invalid(`${subject} cannot be processed: it takes more than ${error.limit}`)
          : error;
      } finally {
        thread.rest();
      }
    });
    if ('output' in outcome) return outcome.output as Output;
    if ('fault' in outcome) throw outcome.fault as Error;
    const { kind, code, message } = outcome.refusal;
    throw new DomainError(kind, code, message);
  }
}

export const contentThreads = new ContentThreads();

class TooCostly extends Error {
  constructor(readonly limit: string) {
    super(`The task takes more than ${limit}`);
  }
}

const lost = () => new DomainError('unavailable', 'overloaded', 'The content could not be processed now', 1);

/** A worker thread that does one job at a time. */
class Thread {
  private readonly worker: Worker;
  private readonly started: Promise<unknown>;
  private next: { resolve: (message: unknown) => void; reject: (error: Error) => void } | undefined;
  private hasEnded = false;
  private idleTimer: NodeJS.Timeout | undefined;
  private limitTimer: NodeJS.Timeout | undefined;

  constructor(
    program: string | URL,
    private readonly limits: ThreadLimits,
    private readonly idle: Set<Thread>,
  ) {
    this.worker = new Worker(program, {
      execArgv: [], // what the process loads first is for the service
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    });
    this.worker.on('message', (message: unknown) => this.next?.resolve(message));
    this.worker.once('error', (error: NodeJS.ErrnoException) => {
      this.end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TooCostly(`${limits.heapMb} MB of memory`) : error);
    });
    this.worker.once('exit', () => {
      this.end(lost());
    });
    this.started = this.message();
  }

  async run(job: Job): Promise<Outcome> {
    this.idle.delete(this);
    clearTimeout(this.idleTimer);
    this.worker.ref();
    await this.started;
    const outcome = this.message();
    this.worker.postMessage(job, job.transfer);
    this.limit();
    try {
      return withBuffers(await outcome) as Outcome;
    } finally {
      clearTimeout(this.limitTimer);
    }
  }

  private limit(): void {
    const { taskMs } = this.limits;
    const begun = process.cpuUsage();
    const check = () => {
      const { user, system } = process.cpuUsage(begun);
      const leftMs = taskMs - (user + system) / 1_000;
      if (leftMs > 0) this.limitTimer = setTimeout(check, Math.max(leftMs, CHECK_AGAIN_MS));
      else this.end(new TooCostly(`${taskMs / 1_000} seconds`));
    };
    this.limitTimer = setTimeout(check, taskMs);
  }

  /** Waits for the next job among the idle threads. Does not keep the process alive. */
  rest(): void {
    if (this.hasEnded) return;
    this.idle.add(this);
    this.worker.unref();
    this.idleTimer = setTimeout(() => {
      this.end(lost());
    }, this.limits.idleMs).unref();
  }

  private message(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.next = { resolve, reject };
    });
  }

  private end(reason: Error): void {
    this.hasEnded = true;
    this.idle.delete(this);
    this.next?.reject(reason);
    void this.worker.terminate();
  }
}

/** Serves the tasks in a worker thread. Called by the program of the threads. */
export function serveContentTasks(tasks: readonly ContentTask<never, unknown>[]): void {
  const port = parentPort;
  if (!port) throw new Error('This is not a worker thread');
  // On Linux, this is the priority of the thread; elsewhere, that of the process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const byName = new Map(tasks.map(({ name, run }) => [name, run as (input: unknown) => unknown]));
  port.on('message', ({ name, input, transfer }: Job) => {
    port.postMessage(
      outcomeOf(() => byName.get(name)?.(withBuffers(input))),
      transfer,
    );
  });
  port.postMessage(STARTED);
}

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { output: work() };
  } catch (error) {
    if (!(error instanceof DomainError)) return { fault: error };
    const { kind, code, message } = error;
    return { refusal: { kind, code, message } };
  }
}

/** Replaces the Uint8Arrays of a clone by Buffers. Changes the value. */
function withBuffers(value: unknown, buffers = new Map<object, Buffer>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    const buffer = buffers.get(value) ?? Buffer.from(value.buffer, value.byteOffset, value.length);
    buffers.set(value, buffer);
    return buffer;
  }
  if (value instanceof Set) return new Set([...value].map((inner) => withBuffers(inner, buffers)));
  for (const [key, inner] of Object.entries(value)) {
    const revived = withBuffers(inner, buffers);
    if (revived !== inner) (value as Record<string, unknown>)[key] = revived;
  }
  return value;
}
