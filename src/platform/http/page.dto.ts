import { Transform, type TransformFnParams } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../config/limits.js';

/** Digits only: JavaScript also reads `1e1` and `0x10` as numbers. */
export const toInteger = ({ value }: TransformFnParams): number =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : NaN;

export class LimitDto {
  /** Items per page. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Transform(toInteger)
  @Min(1)
  @Max(MAX_PAGE_SIZE)
  @IsInt()
  limit: number = DEFAULT_PAGE_SIZE;
}

/** The query of a list that is read onwards from a cursor. */
export class CursorDto extends LimitDto {
  /** The `nextCursor` of the previous page, with the same filters. */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  cursor?: string;
}

/** The query of a list with page numbers. */
export class PageDto extends LimitDto {
  /** Page number, starting at 1. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Transform(toInteger)
  @Min(1)
  @Max(1_000_000)
  @IsInt()
  page: number = 1;
}
