export { SuppressionList } from './application/suppression-list.service.js';
