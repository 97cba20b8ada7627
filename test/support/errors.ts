import { STATUS_CODES } from 'node:http';

/** The body of an error, whole. */
export const errorBody = (statusCode: number, message: string) => ({
  message,
  error: STATUS_CODES[statusCode],
  statusCode,
});

export const badRequest = (message: string) => errorBody(400, message);
