import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Passes the log of Nest and of our `Logger`s to pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest's own start-up lines do not interest an operator.
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
