export { TrackHtml } from './application/track-html.service.js';
