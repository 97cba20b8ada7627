export class QueuedMessageResponse {
  /** Always true: the message is stored and will be delivered. */
  queued!: true;

  /**
   * Reads the message's state with GET /api/messages/:id.
   * @example "c0mk3v9p0x7f2k9d1q8z5w4ab"
   */
  messageLogId!: string;
}
