import { applyDecorators } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';

export const IsAwsRegion = (): PropertyDecorator =>
  applyDecorators(
    Matches(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, { message: 'region must be an AWS region such as eu-west-1' }),
    IsString(),
  );

export const IsTopicArn = (): PropertyDecorator =>
  applyDecorators(
    Matches(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, {
      message: 'topicArn must be the ARN of an SNS topic',
    }),
    IsString(),
  );
