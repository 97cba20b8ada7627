import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Sends what Nest and our `Logger`s say through pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest's own start-up lines are of no interest to an operator.
    this.pino.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.pino.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const [stack, context] = rest.length > 1 ? rest : [undefined, rest[0]];
    this.pino.error({ context, stack }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.pino.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.pino.trace({ context: rest.at(-1) }, String(message));
  }
}
