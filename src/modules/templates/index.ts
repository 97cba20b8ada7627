export { RenderTemplate } from './application/render-template.service.js';
export { TemplateLink } from './domain/template-link.js';
