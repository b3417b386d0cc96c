/** The bucket over the AWS SDK. */
@NullMarked
package dev.recorder.s3;

import org.jspecify.annotations.NullMarked;
