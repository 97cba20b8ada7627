import { Controller, Get, HttpCode, Options, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Config } from '../../../config/config.js';
import { Public } from '../../../platform/http/access/access.js';
import { ClientAddress } from '../../../platform/http/access/client-address.js';
import { ApiErrors, errorExample } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { sendPage } from '../../../platform/http/html-page.js';
import { BodyLimit } from '../../../platform/http/json-body.guard.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { languageOf } from '../../../platform/http/page-language.js';
import { parseJson } from '../../../platform/http/parse-json.js';
import { RawBody, TakesRawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { DomainError } from '../../../shared/domain-error.js';
import { codeOfStatus } from '../../../shared/error-codes.js';
import { isRecord } from '../../../shared/is-record.js';
import { readForm } from '../../../shared/read-form.js';
import { parseUrl } from '../../../shared/parse-url.js';
import type { BrandedForm } from '../application/form-directory.service.js';
import { type SubmissionFault, SubmitForm } from '../application/submit-form.service.js';
import { SignupDto } from './dto/signup.dto.js';
import { EMBED_SCRIPT } from './embed-script.js';
import {
  foreignOriginPage,
  formPage,
  type FormView,
  inboxPage,
  TRAP_FIELD,
  unknownFormPage,
} from './public-form.pages.js';
import { SignupAcceptedResponse } from './form.response.js';

const PAGE = { schema: { type: 'string' } } as const;
const UNKNOWN = { type: ErrorResponse, description: 'The form is unknown or disabled' } as const;
const UNKNOWN_ERROR = { not_found: 'Form not found' };
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** What browsers send for a page whose policy hides where it is, such as `Referrer-Policy: no-referrer`. */
const HIDDEN_ORIGIN = 'null';
const PREFLIGHT_SECONDS = '600';
const FOREIGN_ORIGIN = 'The form does not allow this origin';

const FAULTS: Record<SubmissionFault, string> = {
  invalid_email: 'email must be an email address',
  challenge_failed: 'challenge is not a solution of a challenge of this form, or was used before, or has expired',
};

/** A page for a form of the browser, and JSON for JSON. */
const refusal = (status: number, description: string, message: string) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: getSchemaPath(ErrorResponse) },
      examples: errorExample(status, message, codeOfStatus(status)),
    },
    'text/html': PAGE,
  },
});

/** Sign-up forms for everybody: hosted pages, their embedding in pages of others, and their submission. */
@Controller('f')
@ApiTags('Sign-up forms')
@AllowUnknownFields()
export class PublicFormsController {
  private readonly basePath: string;
  private readonly origin: string;

  constructor(
    private readonly submitForm: SubmitForm,
    private readonly clientAddress: ClientAddress,
    { baseUrl }: Config,
  ) {
    const { pathname, origin } = new URL(baseUrl);
    this.basePath = pathname.replace(/\/$/, '');
    this.origin = origin;
  }

  /** The form as a page, in the language of the browser (English or German). */
  @Get(':formId')
  @OperationId('showForm')
  @Public()
  @ApiProduces('text/html')
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse({ ...PAGE, description: UNKNOWN.description })
  async show(@Param('formId') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.submitForm.find(id);
    response.vary('Accept-Language');
    if (form) sendPage(response, 200, formPage(this.view(form, request)));
    else sendPage(response, 404, unknownFormPage(languageOf(request)));
  }

  /** A script that shows the form in a frame where it is placed. Pages of `allowedOrigins` may show it. */
  @Get(':formId/embed.js')
  @OperationId('getFormEmbedScript')
  @Public()
  @ApiOkResponse({ description: 'The script', content: { 'text/javascript': PAGE } })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiErrors(UNKNOWN_ERROR)
  async embed(@Param('formId') id: string, @Res() response: Response): Promise<void> {
    await this.get(id);
    response
      .set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'public, max-age=300' })
      .type('text/javascript')
      .send(EMBED_SCRIPT);
  }

  /** A new challenge for the form, in the form of ALTCHA. It can be solved once, within ten minutes. */
  @Get(':formId/challenge')
  @OperationId('createFormChallenge')
  @Public()
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiErrors(UNKNOWN_ERROR)
  async challenge(@Param('formId') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.get(id);
    this.allowOrigin(form, request, response);
    response.set('Cache-Control', 'no-store').json(await this.submitForm.createChallenge(form));
  }

  /** Tells browsers whether a page of another origin may submit the form as JSON. */
  @Options(':formId')
  @OperationId('checkFormOrigin')
  @HttpCode(204)
  @Public()
  @ApiNoContentResponse({ description: 'The headers say whether the origin is allowed' })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiErrors(UNKNOWN_ERROR)
  async preflight(
    @Param('formId') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const isAllowed = this.allowOrigin(await this.get(id), request, response);
    if (!isAllowed) return;
    response.set({
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    });
  }

  /**
   * Submits the form: `email`, the fields of the form, and `challenge`, the solution that the ALTCHA widget has found.
   * The response is the same for every address. A form gets a page or, if the form has a `redirectUrl`, a redirect;
   * JSON gets JSON. Unknown fields are ignored.
   */
  @Post(':formId')
  @OperationId('createSignup')
  @HttpCode(202)
  @Public()
  @TakesRawBody('application/json', FORM_TYPE)
  @BodyLimit('64kb')
  @ApiBody({ type: SignupDto })
  @ApiOkResponse({ description: 'A page that says what to do next', content: { 'text/html': PAGE } })
  @ApiAcceptedResponse({ type: SignupAcceptedResponse })
  @ApiResponse({ status: 303, description: 'A redirect to `redirectUrl`' })
  @ApiBadRequestResponse(refusal(400, 'Not an address, or the challenge is not solved', FAULTS.invalid_email))
  @ApiForbiddenResponse(refusal(403, 'The page that sends it is not of an allowed origin', FOREIGN_ORIGIN))
  @ApiNotFoundResponse(refusal(404, UNKNOWN.description, UNKNOWN_ERROR.not_found))
  async submit(
    @Param('formId') id: string,
    @RawBody() body: Buffer,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (request.is('json')) await this.submitJson(id, body, request, response);
    else if (request.is(FORM_TYPE)) await this.submitPage(id, body, request, response);
    else throw DomainError.invalid(`The body must be JSON or ${FORM_TYPE}`);
  }

  private async submitJson(id: string, body: Buffer, request: Request, response: Response): Promise<void> {
    const form = await this.get(id);
    if (!this.allowOrigin(form, request, response)) throw foreignOrigin();
    const values = await parseJson(body);
    if (!isRecord(values)) throw DomainError.invalid('The body must be a JSON object');
    const fault = await this.accept(form, values, request);
    if (fault) throw DomainError.invalid(FAULTS[fault]);
    response.status(202).json(SignupAcceptedResponse.pending());
  }

  private async submitPage(id: string, body: Buffer, request: Request, response: Response): Promise<void> {
    const form = await this.submitForm.find(id);
    response.vary('Accept-Language');
    if (!form) sendPage(response, 404, unknownFormPage(languageOf(request)));
    else if (!this.allowOrigin(form, request, response) && request.headers.origin !== HIDDEN_ORIGIN)
      sendPage(response, 403, foreignOriginPage(languageOf(request)));
    else await this.answerPage(form, body, request, response);
  }

  private async answerPage(form: BrandedForm, body: Buffer, request: Request, response: Response): Promise<void> {
    const values = Object.fromEntries(readForm(body));
    const fault = await this.accept(form, values, request, values[TRAP_FIELD]);
    const view = this.view(form, request);
    if (fault) sendPage(response, 400, formPage(view, { fault, values }));
    else if (form.redirectUrl === null) sendPage(response, 200, inboxPage(view));
    else response.set('Cache-Control', 'no-store').redirect(303, form.redirectUrl);
  }

  private accept(
    form: BrandedForm,
    values: Readonly<Record<string, unknown>>,
    request: Request,
    trap?: string,
  ): Promise<SubmissionFault | null> {
    const { email, firstName, lastName, company, challenge, wordingVersion } = values;
    return this.submitForm.submit(form, {
      ...{ email, firstName, lastName, company, challenge, wordingVersion, trap },
      language: languageOf(request),
      ip: this.clientAddress.find(request),
      userAgent: request.headers['user-agent'],
    });
  }

  private async get(id: string): Promise<BrandedForm> {
    const form = await this.submitForm.find(id);
    if (!form) throw DomainError.notFound('Form');
    return form;
  }

  private view(form: BrandedForm, request: Request): FormView {
    return { form, language: languageOf(request), basePath: this.basePath };
  }

  /**
   * Whether the page that sends the request, if it is one, may submit the form: one of the service or of an allowed
   * origin, which the response says then. Programs send no origin, or any; browsers the right one, with each POST.
   */
  private allowOrigin(form: BrandedForm, request: Request, response: Response): boolean {
    response.vary('Origin');
    const { origin, host } = request.headers;
    if (origin === undefined || origin === this.origin) return true;
    if (host !== undefined && parseUrl(origin)?.host === host) return true;
    if (!form.allowedOrigins.includes(origin)) return false;
    response.set('Access-Control-Allow-Origin', origin);
    return true;
  }
}

const foreignOrigin = () => new DomainError('forbidden', 'forbidden', FOREIGN_ORIGIN);
