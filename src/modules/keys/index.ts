export { AuthenticateKey } from './application/authenticate-key.service.js';
