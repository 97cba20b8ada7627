import type { Dispatcher } from 'undici';

import { LeaseEndedError } from '../../shared/submission-check.js';

/**
 * A request over undici and its response. All requests that submit something are sent by one of these, because it is
 * the one place that checks their lease: undici calls `onRequestStart` when a connection is ready, in the step that
 * writes the request to it.
 */
export abstract class LeasedExchange<Reply> implements Dispatcher.DispatchHandler {
  /** Settles at the end of the response, at an error or when aborted, whichever comes first. */
  readonly reply: Promise<Reply>;
  /** Resolves when undici has released the request; one that is aborted while connecting, once it has connected. */
  readonly released: Promise<void>;
  /** Whether something of the request may have been written. */
  isWritten = false;
  private resolve!: (reply: Reply) => void;
  private reject!: (error: Error) => void;
  private release!: () => void;
  private controller: Dispatcher.DispatchController | undefined;
  private aborted: Error | undefined;

  /** `isHeld` is called when a connection is ready, right before the request is written. */
  constructor(private readonly isHeld: () => boolean = () => true) {
    this.reply = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.reply.catch(() => undefined); // nobody waits for it if the request is given up before it is dispatched
    this.released = new Promise((resolve) => (this.release = resolve));
  }

  abstract onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void;
  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  abstract onResponseEnd(): void;

  /** Aborts the request; one without a connection, as soon as it gets one. */
  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
    this.reject(reason);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.aborted;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (!this.isHeld()) this.abort(new LeaseEndedError());
    else if (this.aborted) controller.abort(this.aborted);
    else this.isWritten = true;
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
    this.release();
  }

  protected complete(reply: Reply): void {
    this.resolve(reply);
    this.release();
  }
}
