export { SmsSandbox } from './application/sms-sandbox.service.js';
