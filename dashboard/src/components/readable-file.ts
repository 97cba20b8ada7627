import { t, type TextId } from '../texts/text';

/**
 * Rejects with the text if a chosen file cannot be read, for example because it has been changed or moved since:
 * browsers report that of an upload as a failure of the network.
 */
export async function requireReadable(file: File, unreadable: TextId): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error(t(unreadable));
    });
}
