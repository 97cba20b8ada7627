import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiError, DeliveryError } from 'opt-in-delivery-sdk';

/**
 * Returns the result as JSON. A refusal or failure becomes an error of the tool, which the model can read and act on.
 */
export async function toResult(call: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await call(), null, 2) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: describe(error) }] };
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = error instanceof ApiError ? `${error.status} ${error.reason}: ${message}` : message;
  return error instanceof DeliveryError && error.mayHaveSucceeded && error.idempotencyKey !== undefined
    ? `${reason}. It may have been sent: repeat it with the idempotencyKey ${error.idempotencyKey}`
    : reason;
}
