import { ValidateIf } from 'class-validator';

/** A field that may be left out but, unlike with @IsOptional, not be null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
