import type { GroupFiles, GroupMember } from '../../domain/message-group.js';

/** The recipients and files of the messages of a group. A message without copies is a group of its own, with its id. */
export abstract class MessageGroups {
  /** The messages in the order of the request: to, cc, bcc. Only of a message with a group id. */
  abstract members(accountId: string, groupId: string): Promise<GroupMember[]>;

  /** The attachments in the order of the request. Without any files if the content was purged. */
  abstract files(accountId: string, groupId: string): Promise<GroupFiles>;

  /**
   * The bytes of an attachment, or, as number SOURCE_NUMBER, of the mail as submitted, in parts, which are read one at
   * a time. The length of each, except the last, is a multiple of 57, the bytes of a line of base64 (RFC 2045 §6.8).
   */
  abstract read(accountId: string, groupId: string, number: number): AsyncGenerator<Buffer, void>;

  /** Reads all attachments at once. Calls back with the same parts, in order; their bytes are valid during the call. */
  abstract readAll(accountId: string, groupId: string, onPart: (number: number, bytes: Buffer) => void): Promise<void>;
}
