import { STATUS_CODES } from 'node:http';

/** The complete body of an error response. */
export const errorBody = (statusCode: number, message: string) => ({
  message,
  error: STATUS_CODES[statusCode],
  statusCode,
});

export const badRequest = (message: string) => errorBody(400, message);
