import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { ManageTopics } from '../application/manage-topics.service.js';
import { ChangeTopicDto, CreateTopicDto } from './dto/write-topic.dto.js';
import { TopicPageResponse, TopicResponse } from './topic.response.js';

const TAKEN = 'A topic with the name Monthly newsletter exists already';

/** What messages are about, and what a person can unsubscribe from without losing everything else. */
@Controller('api/topics')
@ApiTags('Topics')
export class TopicsController {
  constructor(private readonly topics: ManageTopics) {}

  /** Creates a topic. Messages are sent with its id as `topicId`. */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: TopicResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({
    type: ErrorResponse,
    description: 'Another topic of the account has this name, or the account has 100 topics',
  })
  @ApiErrors({ conflict: TAKEN })
  async create(@CurrentCaller() { accountId }: SessionCaller, @Body() body: CreateTopicDto): Promise<TopicResponse> {
    const { name, description = '', visibility = 'public', byDefault = 'in' } = body;
    const plan = { name, description, visibility, byDefault };
    return TopicResponse.from(await this.topics.create(accountId, plan));
  }

  /** Lists the account's topics, newest first. */
  @Get()
  @RequireScopeOrSession('contacts:read')
  @ApiOkResponse({ type: TopicPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() caller: Caller, @Query() page: PageDto): Promise<TopicPageResponse> {
    return TopicPageResponse.from(await this.topics.list(ownerOf(caller), page));
  }

  /** Changes a topic. `byDefault` counts at once for everybody without a consent. */
  @Patch(':id')
  @Session('admin')
  @ApiOkResponse({ type: TopicResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'Another topic of the account has this name' })
  @ApiErrors({ conflict: TAKEN })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeTopicDto,
  ): Promise<TopicResponse> {
    return TopicResponse.from(await this.topics.change(accountId, id, body));
  }

  /**
   * Deletes a topic: nothing more can be sent with it. Its messages and records of consent keep its id, filters find
   * them by it, and who has unsubscribed still gets none of the messages that were accepted before.
   */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: TopicResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'A campaign is scheduled, running or paused with it' })
  @ApiErrors({ conflict: 'The campaign November newsletter uses this topic' })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<TopicResponse> {
    return TopicResponse.from(await this.topics.remove(accountId, id));
  }
}

/** A test key uses the topics of its account. */
const ownerOf = (caller: Caller): string =>
  caller.kind === 'key' ? (caller.testOf ?? caller.accountId) : caller.accountId;
