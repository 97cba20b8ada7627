import { ApiProperty } from '@nestjs/swagger';

import type { CanceledMessages } from '../application/control-messages.service.js';

class NotCanceledResponse {
  id!: string;

  /**
   * Why the message is not canceled.
   * @example "Message is already being sent"
   */
  message!: string;
}

export class CanceledMessagesResponse {
  /** How many of the messages are canceled now, those included that were before. */
  @ApiProperty({ type: 'integer' })
  canceled!: number;

  /** How many are not, because they are being sent, final or unknown. */
  @ApiProperty({ type: 'integer' })
  unchanged!: number;

  /** The unchanged messages. */
  @ApiProperty({ type: [NotCanceledResponse] })
  errors!: NotCanceledResponse[];

  static from({ canceled, errors }: CanceledMessages): CanceledMessagesResponse {
    return { canceled, unchanged: errors.length, errors };
  }
}
