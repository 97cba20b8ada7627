export { RenderTemplate } from './application/render-template.service.js';
