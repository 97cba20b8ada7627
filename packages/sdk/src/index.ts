export { DeliveryClient } from './delivery-client.js';
export { ApiError, ConnectionError, DeliveryError, type RateLimit, TimeoutError } from './errors.js';
export type { CallOptions, ClientOptions, SendOptions } from './transport.js';
export type * from './types.js';
export { verifyWebhook, type VerifyOptions, WebhookError, type WebhookHeaders } from './verify-webhook.js';
export type { Webhook } from './webhook.js';
